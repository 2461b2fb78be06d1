namespace Postrider.MessagePack.Formatters;

/// <summary>Makes a map of the pairs that were read.</summary>
/// <typeparam name="TMap">The map.</typeparam>
/// <typeparam name="TKey">Its keys.</typeparam>
/// <typeparam name="TValue">Its values.</typeparam>
public interface IMapFactory<TMap, TKey, TValue>
    where TKey : notnull
{
    /// <summary>Makes the map.</summary>
    /// <param name="pairs">The pairs; the map may be this dictionary.</param>
    /// <returns>The map.</returns>
    static abstract TMap Create(Dictionary<TKey, TValue> pairs);
}
