namespace Postrider.MessagePack.Formatters;

/// <summary>Creates a collection from the items that were read.</summary>
/// <typeparam name="TCollection">The collection.</typeparam>
/// <typeparam name="T">Its items.</typeparam>
public interface ICollectionFactory<TCollection, T>
{
    /// <summary>Creates the collection.</summary>
    /// <param name="items">The items in wire order; the collection may keep the array.</param>
    /// <returns>The collection. It may be smaller if it removes duplicates; the reader reports that.</returns>
    static abstract TCollection Create(T[] items);
}
