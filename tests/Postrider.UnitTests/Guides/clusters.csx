// docs/guide/clusters.md needs nothing around its pieces.
internal static class Surroundings;
