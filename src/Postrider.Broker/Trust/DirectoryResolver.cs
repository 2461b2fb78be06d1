namespace Postrider.Broker.Trust;

/// <summary>Reads the tokens of accounts from a folder, and looks up missing ones elsewhere.</summary>
internal sealed class DirectoryResolver(TokenDirectory directory, TimeSpan timeout) : IAccountResolver
{
    /// <summary>The folder.</summary>
    public TokenDirectory Directory => directory;

    /// <summary>How long a look-up elsewhere may take.</summary>
    public TimeSpan Timeout => timeout;

    /// <summary>Looks a token up elsewhere; null for nowhere.</summary>
    public Func<string, CancellationToken, Task<string?>>? Ask { get; set; }

    /// <inheritdoc/>
    public async ValueTask<string?> FetchAsync(string key, CancellationToken ct)
    {
        if (directory.Load(key) is { Length: > 0 } token) return token;
        if (Ask is not { } ask || await ask(key, ct).ConfigureAwait(false) is not { Length: > 0 } found) return null;
        Store(key, found);
        return found;
    }

    /// <inheritdoc/>
    public void Store(string key, string token) => directory.SaveIfNewer(key, token);

    /// <inheritdoc/>
    public void Dispose() => directory.Dispose();
}
