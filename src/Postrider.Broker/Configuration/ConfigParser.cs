using Postrider.Broker.Accounts;

namespace Postrider.Broker.Configuration;

/// <summary>Builds the tree of a configuration file, with includes and variables resolved.</summary>
/// <remarks>Not thread-safe. Errors are <see cref="ConfigSyntaxException"/>.</remarks>
internal sealed class ConfigParser
{
    // Deeper than any real file, and far from a stack overflow.
    private const int MaxDepth = 64;
    private const string EnvironmentKey = "value";

    private readonly IConfigSource _source;
    private readonly string _file;
    private readonly ConfigLexer _lexer;
    private readonly List<ConfigMap> _scopes = [];
    private readonly HashSet<string> _environmentInUse;
    private readonly IReadOnlyList<string> _includedFrom;
    private int _depth;

    private ConfigParser(IConfigSource source, string file, string text, IReadOnlyList<string> includedFrom, HashSet<string> environmentInUse)
    {
        _source = source;
        _file = file;
        _lexer = new ConfigLexer(file, text);
        _includedFrom = includedFrom;
        _environmentInUse = environmentInUse;
    }

    /// <summary>Reads a file and everything it includes.</summary>
    internal static ConfigMap ParseFile(IConfigSource source, string file) => ParseFile(source, file, []);

    private static ConfigMap ParseFile(IConfigSource source, string file, IReadOnlyList<string> includedFrom) =>
        new ConfigParser(source, file, source.ReadFile(file), [.. includedFrom, file], new(StringComparer.Ordinal)).ParseDocument();

    private ConfigMap ParseDocument()
    {
        var root = new ConfigMap();
        _scopes.Add(root);
        while (true)
        {
            var token = _lexer.ReadKey();
            switch (token.Kind)
            {
                case ConfigTokenKind.End:
                    return root;
                case ConfigTokenKind.MapStart:
                    // The whole file is in braces, as in JSON.
                    ParseEntries(root);
                    _lexer.EndValue(inMap: false);
                    break;
                case ConfigTokenKind.MapEnd:
                    ConfigLexer.Fail(token.Position, "Unexpected map end '}'.");
                    break;
                default:
                    ParseEntry(token, root, inMap: false);
                    break;
            }
        }
    }

    private void ParseEntries(ConfigMap map)
    {
        while (true)
        {
            var token = _lexer.ReadKey();
            switch (token.Kind)
            {
                case ConfigTokenKind.End:
                    ConfigLexer.Fail(token.Position, "Unexpected EOF processing map.");
                    break;
                case ConfigTokenKind.MapEnd:
                    return;
                case ConfigTokenKind.MapStart:
                    ConfigLexer.Fail(token.Position, "Expected a key but found start of a map");
                    break;
                default:
                    ParseEntry(token, map, inMap: true);
                    break;
            }
        }
    }

    private void ParseEntry(ConfigToken token, ConfigMap map, bool inMap)
    {
        if (token.Kind == ConfigTokenKind.Include)
            Include(token, map);
        else
            map[token.Text] = ParseValue(_lexer.ReadValueOfKey(inMap)).At(token.Position);
        _lexer.EndValue(inMap);
    }

    private ConfigValue ParseValue(ConfigToken token)
    {
        if (++_depth > MaxDepth)
            ConfigLexer.Fail(token.Position, $"Values are nested deeper than {MaxDepth}.");
        var value = token.Kind switch
        {
            ConfigTokenKind.MapStart => new ConfigValue(ParseMap(), token.Position),
            ConfigTokenKind.ArrayStart => new ConfigValue(ParseArray(), token.Position),
            ConfigTokenKind.Text => new ConfigValue(token.Text, token.Position),
            _ => ParseBare(token),
        };
        _depth--;
        return value;
    }

    private ConfigMap ParseMap()
    {
        var map = new ConfigMap();
        _scopes.Add(map);
        ParseEntries(map);
        _scopes.RemoveAt(_scopes.Count - 1);
        return map;
    }

    private List<ConfigValue> ParseArray()
    {
        var array = new List<ConfigValue>();
        while (true)
        {
            var token = _lexer.ReadElement();
            if (token.Kind == ConfigTokenKind.ArrayEnd)
                return array;
            array.Add(ParseValue(token));
            _lexer.EndElement();
        }
    }

    private ConfigValue ParseBare(ConfigToken token)
    {
        // A bcrypt hash needs no quotes, although it looks like a variable.
        if (token.Text[0] != '$' || BcryptHash.IsHash(token.Text))
            return new(ConfigScalar.Read(token.Text, token.Position), token.Position);
        return Resolve(token.Text[1..], token.Position);
    }

    private ConfigValue Resolve(string name, ConfigPosition position)
    {
        for (var i = _scopes.Count - 1; i >= 0; i--)
        {
            if (!_scopes[i].TryGetValue(name, out var value))
                continue;
            value.IsReferenced = true;
            return value.At(position);
        }
        if (!_environmentInUse.Add(name))
            ConfigLexer.Fail(position, $"variable reference cycle for '{name}'");
        if (_source.ReadEnvironment(name) is not { } text)
        {
            ConfigLexer.Fail(position, $"variable reference for '{name}' can not be found");
            return null;
        }
        var found = ResolveEnvironment(name, text, position);
        _environmentInUse.Remove(name);
        return found;
    }

    private ConfigValue ResolveEnvironment(string name, string text, ConfigPosition position)
    {
        try
        {
            var map = new ConfigParser(_source, _file, $"{EnvironmentKey}={text}", _includedFrom, _environmentInUse).ParseDocument();
            return map[EnvironmentKey].At(position);
        }
        catch (ConfigSyntaxException error)
        {
            throw new ConfigSyntaxException(position, $"variable reference for '{name}' could not be parsed: {error.Message}");
        }
    }

    private void Include(ConfigToken token, ConfigMap map)
    {
        var path = Path.Join(Path.GetDirectoryName(_file), token.Text);
        if (_includedFrom.Contains(path, StringComparer.Ordinal) || _includedFrom.Count >= MaxDepth)
            ConfigLexer.Fail(token.Position, $"error parsing include file '{token.Text}', it includes itself");
        try
        {
            foreach (var (key, value) in ParseFile(_source, path, _includedFrom))
                map[key] = value;
        }
        catch (Exception error) when (error is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new ConfigSyntaxException(token.Position, $"error parsing include file '{token.Text}', open {path}: no such file or directory");
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new ConfigSyntaxException(token.Position, $"error parsing include file '{token.Text}', {error.Message}");
        }
    }
}
