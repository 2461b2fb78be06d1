namespace Postrider.Flow.Pumps;

/// <summary>Claimed items without a slot: the rest of a chunk whose pump had to leave.</summary>
/// <typeparam name="TItem">The source's items.</typeparam>
/// <param name="From">Index of the first item.</param>
/// <param name="To">Index after the last.</param>
/// <param name="Items">The items when the source cannot be read by index; <c>Items[0]</c> is item <paramref name="From"/>.</param>
/// <param name="One">The item if there is only one and no array.</param>
internal readonly record struct Spill<TItem>(long From, long To, TItem[]? Items, TItem One);
