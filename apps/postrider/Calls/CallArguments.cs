using System.Text.Json;
using System.Text.Json.Nodes;

namespace Postrider.CommandLine.Calls;

/// <summary>The arguments of a call as given on the command line: <c>name=value</c>, or a body.</summary>
internal sealed class CallArguments
{
    private readonly Dictionary<string, string> _values = new(StringComparer.Ordinal);
    private readonly HashSet<string> _used = new(StringComparer.Ordinal);

    private CallArguments(string? body) => Body = body;

    /// <summary>The body as given; null if it is built from the values.</summary>
    internal string? Body { get; }

    /// <summary>The names that were not used.</summary>
    internal IEnumerable<string> Unused => _values.Keys.Where(name => !_used.Contains(name));

    /// <summary>Reads arguments.</summary>
    /// <param name="words">Each <c>name=value</c>.</param>
    /// <param name="body">A body of JSON; null when there is none.</param>
    /// <exception cref="CallException">A word has no equals sign, a name appears twice, or the body is not JSON.</exception>
    internal static CallArguments Read(IEnumerable<string> words, string? body)
    {
        if (body is not null) Check(body);
        var read = new CallArguments(body);
        foreach (var word in words)
        {
            var at = word.IndexOf('=', StringComparison.Ordinal);
            if (at < 1) throw new CallException($"'{word}' is not name=value. A whole body is given with --body.");
            if (!read._values.TryAdd(word[..at], word[(at + 1)..])) throw new CallException($"'{word[..at]}' is given twice.");
        }

        return read;
    }

    /// <summary>Takes a value; null if it was not given.</summary>
    internal string? Take(string name)
    {
        if (!_values.TryGetValue(name, out var value)) return null;
        _used.Add(name);
        return value;
    }

    /// <summary>Creates an object from all values that were not taken.</summary>
    /// <param name="isText">Whether a member is text, so that its value is not parsed as JSON; null if that is not known.</param>
    /// <returns>Null when there are none.</returns>
    internal JsonObject? TakeObject(Func<string, bool?> isText)
    {
        var names = Unused.ToArray();
        if (names.Length == 0) return null;
        var members = new JsonObject();
        foreach (var name in names)
        {
            var value = Take(name)!;
            members[name] = isText(name) switch
            {
                true => value,
                false => TryParse(value, out var parsed) ? parsed : throw new CallException($"'{name}' is not text in the contract, and its value '{value}' is not JSON."),
                null => TryParse(value, out var parsed) ? parsed : value,
            };
        }

        return members;
    }

    private static bool TryParse(string text, out JsonNode? node)
    {
        try
        {
            node = JsonNode.Parse(text);
            return true;
        }
        catch (JsonException)
        {
            node = null;
            return false;
        }
    }

    private static void Check(string body)
    {
        try
        {
            using var _ = JsonDocument.Parse(body);
        }
        catch (JsonException wrong)
        {
            throw new CallException($"The body is not JSON: {wrong.Message}");
        }
    }
}
