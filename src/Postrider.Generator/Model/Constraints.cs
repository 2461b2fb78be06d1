namespace Postrider.Generator.Model;

/// <summary>Constraints that are not types; they are listed among a type's bases as if they were interfaces.</summary>
internal static class Constraints
{
    internal const string Class = "class";
    internal const string Struct = "struct";
    internal const string Unmanaged = "unmanaged";
    internal const string New = "new()";
}
