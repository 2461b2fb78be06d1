namespace Postrider.Benchmarks.MessagePack;

/// <summary>How to look at what a serializer reads when it is no list of our items.</summary>
/// <param name="Count">How many items it has.</param>
/// <param name="Items">The same as our items.</param>
public sealed record CodecView(Func<object, int> Count, Func<object, object> Items);
