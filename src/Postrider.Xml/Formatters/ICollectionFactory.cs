namespace Postrider.Xml.Formatters;

/// <summary>Creates a collection from the items that were read.</summary>
/// <typeparam name="TCollection">The collection.</typeparam>
/// <typeparam name="T">Its items.</typeparam>
public interface ICollectionFactory<TCollection, T>
{
    /// <summary>Creates the collection.</summary>
    /// <param name="items">The items; the collection may be this list itself.</param>
    /// <returns>The collection.</returns>
    static abstract TCollection Create(List<T> items);
}
