using System.Collections.Concurrent;

namespace Postrider.Broker.Trust;

/// <summary>Keeps the tokens of accounts in memory.</summary>
internal sealed class MemoryResolver : IAccountResolver
{
    private readonly ConcurrentDictionary<string, string> _tokens = new(StringComparer.Ordinal);

    /// <inheritdoc/>
    public ValueTask<string?> FetchAsync(string key, CancellationToken ct) => new(_tokens.GetValueOrDefault(key));

    /// <inheritdoc/>
    public void Store(string key, string token) => _tokens[key] = token;

    /// <summary>Removes all tokens.</summary>
    public void Clear() => _tokens.Clear();

    /// <inheritdoc/>
    public void Dispose()
    {
        // Nothing to dispose.
    }
}
