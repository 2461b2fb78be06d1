namespace Postrider.Xml.Formatters;

/// <summary>Makes a collection of the items that were read.</summary>
/// <typeparam name="TCollection">The collection.</typeparam>
/// <typeparam name="T">Its items.</typeparam>
public interface ICollectionFactory<TCollection, T>
{
    /// <summary>Makes the collection.</summary>
    /// <param name="items">The items; the collection may be this list.</param>
    /// <returns>The collection.</returns>
    static abstract TCollection Create(List<T> items);
}
