namespace Postrider.Broker.Compression;

/// <summary>The compression level.</summary>
internal enum S2Level
{
    /// <summary>No compression: blocks of plain bytes with their checksums.</summary>
    Uncompressed,

    /// <summary>One earlier position is compared.</summary>
    Fast,

    /// <summary>A few earlier positions are compared.</summary>
    Better,

    /// <summary>Many earlier positions are compared.</summary>
    Best,
}
