namespace Postrider.Rpc;

/// <summary>An item published on a topic.</summary>
/// <typeparam name="T">The type of the items.</typeparam>
/// <param name="Topic">The topic.</param>
/// <param name="Item">The item.</param>
/// <param name="Missed">The total number of items this subscriber has missed because it was too slow.</param>
public readonly record struct TopicItem<T>(string Topic, T Item, long Missed);
