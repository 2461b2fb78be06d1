using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace Postrider.Rpc.Generator.Parsing;

/// <summary>A route's template.</summary>
internal sealed class Template
{
    // The characters that a path may contain without escapes (RFC 3986), except the slash.
    private const string Literals = "-._~!$&'()+,;=:@";

    private Template(string path, string shape, IReadOnlyList<string> names, IReadOnlyDictionary<string, string> query)
        => (Path, Shape, Names, Query) = (path, shape, names, query);

    /// <summary>The path, as ASP.NET Core's routing reads it.</summary>
    internal string Path { get; }

    /// <summary>The path without its parameters' names, in lower case.</summary>
    internal string Shape { get; }

    /// <summary>The names of the path's parameters.</summary>
    internal IReadOnlyList<string> Names { get; }

    /// <summary>The parameters of the query by name, in WCF templates.</summary>
    internal IReadOnlyDictionary<string, string> Query { get; }

    /// <summary>Reads a template; null if it is invalid, with the reason in <paramref name="fault"/>.</summary>
    internal static Template? Read(string text, bool isWcf, out string fault)
    {
        fault = "";
        var query = new Dictionary<string, string>(System.StringComparer.OrdinalIgnoreCase);
        var path = text;
        if (text.IndexOf('?') is >= 0 and var start)
        {
            path = text.Substring(0, start);
            if (!isWcf && !text.Substring(start).StartsWith("?}", System.StringComparison.Ordinal))
                fault = "a template cannot have a query: parameters that it does not contain are bound to the query";
            else if (!isWcf)
                fault = "a part of a path cannot be optional: add another method for the path without it";
            else if (!TryReadQuery(text.Substring(start + 1), query))
                fault = $"the query of '{text}' does not have the form name={{parameter}}&other={{parameter}}";
        }

        var names = new List<string>();
        var shape = new StringBuilder();
        var whole = new StringBuilder();
        foreach (var segment in path.Trim('/').Split('/'))
        {
            if (fault.Length > 0)
                return null;
            fault = names.Contains("*") || whole.ToString().Contains("{**") ? "nothing may follow a parameter that takes the rest of the path"
                : segment.Length == 0 && path.Trim('/').Length > 0 ? "it contains two consecutive slashes"
                : Segment(segment, names, whole.Append(whole.Length > 0 ? "/" : ""), shape.Append('/'));
        }

        return fault.Length == 0 ? new(whole.ToString(), shape.ToString().ToLowerInvariant(), names, query) : null;
    }

    // The error in a segment, or an empty text.
    private static string Segment(string segment, List<string> names, StringBuilder whole, StringBuilder shape)
    {
        for (var at = 0; at < segment.Length;)
        {
            if (segment[at] != '{')
            {
                if (!(segment[at] < 128 && char.IsLetterOrDigit(segment[at])) && Literals.IndexOf(segment[at]) < 0)
                    return $"'{segment[at]}' in '{segment}' is not allowed in a template. Allowed: letters, digits, {string.Join(" ", Literals.ToCharArray())} and parameters in braces";
                whole.Append(segment[at]);
                shape.Append(segment[at++]);
                continue;
            }

            var close = segment.IndexOf('}', at);
            if (close < 0)
                return $"'{segment}' has an unclosed brace";
            var name = segment.Substring(at + 1, close - at - 1);
            var isRest = name.StartsWith("*", System.StringComparison.Ordinal);
            name = name.TrimStart('*');
            if (name.IndexOf(':') >= 0)
                return $"'{name}' has a constraint: only the parameter's type is checked";
            if (name.IndexOf('=') >= 0)
                return $"'{name}' has a default: add another method for the path without it";
            if (name.Length == 0 || !name.All(c => char.IsLetterOrDigit(c) || c == '_'))
                return $"'{{{name}}}' is not a valid parameter name";
            if (isRest && (at > 0 || close < segment.Length - 1))
                return $"'{segment}' has text next to a parameter that takes the rest of the path";
            if (at > 0 && segment[at - 1] == '}')
                return $"'{segment}' has two parameters with nothing between them";
            if (names.Contains(name, System.StringComparer.OrdinalIgnoreCase))
                return $"'{name}' occurs twice";
            names.Add(name);
            whole.Append(isRest ? "{**" : "{").Append(name).Append('}');
            shape.Append(isRest ? "{**}" : "{}");
            at = close + 1;
        }

        return "";
    }

    private static bool TryReadQuery(string text, Dictionary<string, string> query)
    {
        foreach (var pair in text.Split('&'))
        {
            var equals = pair.IndexOf("={", System.StringComparison.Ordinal);
            if (equals <= 0 || !pair.EndsWith("}", System.StringComparison.Ordinal))
                return false;
            var parameter = pair.Substring(equals + 2, pair.Length - equals - 3);
            if (parameter.Length == 0 || query.ContainsKey(parameter))
                return false;
            query[parameter] = pair.Substring(0, equals);
        }

        return true;
    }
}
