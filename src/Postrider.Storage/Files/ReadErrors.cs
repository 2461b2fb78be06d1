namespace Postrider.Storage.Files;

/// <summary>Read errors of a store: each is reported once.</summary>
/// <param name="told">Called with each error, or null.</param>
/// <remarks>Not thread-safe, like its store.</remarks>
internal sealed class ReadErrors(Action<string>? told)
{
    // Maximum number of distinct errors: a disk that fails everywhere needs no longer list.
    private const int Most = 1000;

    private readonly HashSet<string> _places = [];

    /// <summary>The number of errors; at most a thousand are counted.</summary>
    public int Count => _places.Count;

    /// <summary>Adds an error.</summary>
    public void Add(string place)
    {
        if (_places.Count < Most && _places.Add(place))
        {
            told?.Invoke(place);
        }
    }
}
