using System.Text;
using Postrider.Rpc.Routes;

namespace Postrider.Rpc;

/// <summary>The path, query and headers of a request, written by a client.</summary>
/// <remarks>Used for one call. Not thread-safe.</remarks>
public sealed class HttpRequestTarget
{
    private readonly Dictionary<string, string> _path = new(StringComparer.OrdinalIgnoreCase);
    private StringBuilder? _query;
    private List<KeyValuePair<string, string>>? _headers;

    internal IReadOnlyList<KeyValuePair<string, string>> Headers => _headers ?? [];

    /// <summary>Adds a value.</summary>
    /// <param name="source">The source of the parameter.</param>
    /// <param name="name">The name.</param>
    /// <param name="value">The value, not escaped.</param>
    /// <exception cref="RpcException">The value is not allowed there: <see cref="RpcStatus.InvalidData"/>.</exception>
    internal void Add(HttpParameterSource source, string name, string value)
    {
        switch (source)
        {
            case HttpParameterSource.Path:
                _path[name] = value;
                break;
            case HttpParameterSource.Query:
                _query ??= new StringBuilder();
                _query.Append(_query.Length == 0 ? '?' : '&').Append(Uri.EscapeDataString(name)).Append('=').Append(Uri.EscapeDataString(value));
                break;
            case HttpParameterSource.Header:
                if (!RpcHeaders.IsValue(value))
                    throw new RpcException(RpcStatus.InvalidData, $"The value of header '{name}' may only contain printable ASCII characters.");
                (_headers ??= []).Add(new(name, value));
                break;
        }
    }

    /// <summary>Builds the address: the base address, the template with its values, the query.</summary>
    /// <exception cref="RpcException">A path value would change the path: <see cref="RpcStatus.InvalidData"/>.</exception>
    internal Uri ToUri(string before, IReadOnlyList<RouteSegment> pieces)
    {
        var text = new StringBuilder(before);
        foreach (var piece in pieces)
        {
            if (!piece.IsParameter)
                text.Append(piece.Text);
            else if (piece.IsRest)
                text.AppendJoin('/', _path[piece.Text].Split('/').Select(part => Escaped(piece.Text, part)));
            else
                text.Append(Escaped(piece.Text, _path[piece.Text]));
        }

        // Not normalized: Uri would undo escapes and resolve dot segments.
        return new Uri(text.Append(_query).ToString(), new UriCreationOptions { DangerousDisablePathAndQueryCanonicalization = true });
    }

    private static string Escaped(string name, string value)
        => value is "" or "." or ".." ? throw new RpcException(RpcStatus.InvalidData, $"Path parameter '{name}' cannot be '{value}': it would be another path.")
        : Uri.EscapeDataString(value);
}
