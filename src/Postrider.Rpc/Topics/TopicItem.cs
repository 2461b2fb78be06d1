namespace Postrider.Rpc;

/// <summary>What was published on a topic, as a subscriber gets it.</summary>
/// <typeparam name="T">What is published.</typeparam>
/// <param name="Topic">The topic.</param>
/// <param name="Item">What was published.</param>
/// <param name="Missed">How many this subscriber has missed in all, because it was too slow.</param>
public readonly record struct TopicItem<T>(string Topic, T Item, long Missed);
