"""The main job: tools safe for every provider, calls checked, results kept honest."""
