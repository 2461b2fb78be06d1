namespace Postrider.Flow.Sources;

/// <summary>What asking a source for items gave.</summary>
internal enum ClaimResult
{
    /// <summary>The chunk holds items.</summary>
    Items,

    /// <summary>There are no more items.</summary>
    Done,

    /// <summary>The reader of the results must take some first.</summary>
    Full,

    /// <summary>Another pump is reading the source.</summary>
    Busy,

    /// <summary>The source has begun a read that has not ended; there are no items in the chunk.</summary>
    Reading,

    /// <summary>The chunk holds items, and the source has begun a read that has not ended.</summary>
    ItemsThenReading,
}
