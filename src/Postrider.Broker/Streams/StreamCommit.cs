namespace Postrider.Broker.Streams;

/// <summary>How a stream's commit ended.</summary>
/// <param name="Number">The store's number of the commit.</param>
/// <param name="IsDurable">Whether the store's promise is kept already; else it will be reported.</param>
/// <param name="Failed">Whether the store refused: what was not committed is gone.</param>
internal readonly record struct StreamCommit(long Number, bool IsDurable, bool Failed);
