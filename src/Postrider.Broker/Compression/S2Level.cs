namespace Postrider.Broker.Compression;

/// <summary>How much work is spent on making bytes shorter.</summary>
internal enum S2Level
{
    /// <summary>None: blocks of plain bytes with their checksums.</summary>
    Uncompressed,

    /// <summary>One earlier place is compared.</summary>
    Fast,

    /// <summary>A few earlier places are compared.</summary>
    Better,

    /// <summary>Many earlier places are compared.</summary>
    Best,
}
