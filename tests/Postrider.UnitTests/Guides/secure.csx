// docs/guide/secure.md needs nothing around its pieces.
internal static class Surroundings;
