namespace Postrider.Flow.Sources;

/// <summary>The result of claiming items from a source.</summary>
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

    /// <summary>The source has started a read that has not completed; the chunk has no items.</summary>
    Reading,

    /// <summary>The chunk holds items, and the source has started a read that has not completed.</summary>
    ItemsThenReading,
}
