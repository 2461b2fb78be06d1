namespace Postrider.Broker.JetStream.Streams;

/// <summary>How a stream's commit ended.</summary>
/// <param name="Number">The store's number of the commit.</param>
/// <param name="IsDurable">Whether the store's promise is kept already; otherwise it is reported later.</param>
/// <param name="Failed">Whether the store refused: what was not committed is gone.</param>
internal readonly record struct StreamCommit(long Number, bool IsDurable, bool Failed);
