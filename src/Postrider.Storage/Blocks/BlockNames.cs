using System.Globalization;

namespace Postrider.Storage.Blocks;

/// <summary>Names of the files of a store.</summary>
internal static class BlockNames
{
    /// <summary>The snapshot of the state at the last clean end.</summary>
    public const string Snapshot = "state.snap";

    /// <summary>The suffix of a file that is still being written.</summary>
    public const string Temporary = ".tmp";

    private const string BlockEnding = ".blk";
    private const string IndexEnding = ".idx";

    /// <summary>The file name of a block.</summary>
    public static string Block(uint number) => number.ToString("x8", CultureInfo.InvariantCulture) + BlockEnding;

    /// <summary>The file name of its index.</summary>
    public static string Index(uint number) => number.ToString("x8", CultureInfo.InvariantCulture) + IndexEnding;

    /// <summary>Parses the number in a block's name; only the exact form written by this class is accepted.</summary>
    public static bool TryParseBlock(string name, out uint number)
    {
        number = 0;
        return name.EndsWith(BlockEnding, StringComparison.Ordinal)
            && uint.TryParse(name.AsSpan(0, name.Length - BlockEnding.Length), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out number)
            && name == Block(number);
    }

    /// <summary>Parses the number in an index's name.</summary>
    public static bool TryParseIndex(string name, out uint number)
    {
        number = 0;
        return name.EndsWith(IndexEnding, StringComparison.Ordinal)
            && uint.TryParse(name.AsSpan(0, name.Length - IndexEnding.Length), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out number)
            && name == Index(number);
    }
}
