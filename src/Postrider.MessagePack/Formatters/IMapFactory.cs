namespace Postrider.MessagePack.Formatters;

/// <summary>Creates a map from the pairs that were read.</summary>
/// <typeparam name="TMap">The map.</typeparam>
/// <typeparam name="TKey">Its keys.</typeparam>
/// <typeparam name="TValue">Its values.</typeparam>
public interface IMapFactory<TMap, TKey, TValue>
    where TKey : notnull
{
    /// <summary>Creates the map.</summary>
    /// <param name="pairs">The pairs; the map may be this dictionary itself.</param>
    /// <returns>The map.</returns>
    static abstract TMap Create(Dictionary<TKey, TValue> pairs);
}
