namespace Postrider.Broker.JetStream.Streams;

/// <summary>The result of a stream's commit.</summary>
/// <param name="Number">The commit's number in the store.</param>
/// <param name="IsDurable">Whether the commit is already as durable as configured; otherwise that is reported later.</param>
/// <param name="Failed">Whether the store failed: everything uncommitted is lost.</param>
internal readonly record struct StreamCommit(long Number, bool IsDurable, bool Failed);
