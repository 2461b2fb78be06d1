namespace Postrider.Storage.Files;

/// <summary>Places of a store that could not be read: each is told of once.</summary>
/// <param name="told">Hears of each, or null.</param>
/// <remarks>Not thread-safe, like its store.</remarks>
internal sealed class ReadErrors(Action<string>? told)
{
    // A disk that fails everywhere needs no longer list.
    private const int Most = 1000;

    private readonly HashSet<string> _places = [];

    /// <summary>How many there are; no more than a thousand are counted.</summary>
    public int Count => _places.Count;

    /// <summary>Remembers one.</summary>
    public void Add(string place)
    {
        if (_places.Count < Most && _places.Add(place))
        {
            told?.Invoke(place);
        }
    }
}
