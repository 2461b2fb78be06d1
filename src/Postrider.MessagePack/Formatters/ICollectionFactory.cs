namespace Postrider.MessagePack.Formatters;

/// <summary>Makes a collection of the items that were read.</summary>
/// <typeparam name="TCollection">The collection.</typeparam>
/// <typeparam name="T">Its items.</typeparam>
public interface ICollectionFactory<TCollection, T>
{
    /// <summary>Makes the collection.</summary>
    /// <param name="items">The items as they were on the wire; the collection may keep the array.</param>
    /// <returns>The collection. One that has no item twice may be smaller, which the reader reports.</returns>
    static abstract TCollection Create(T[] items);
}
