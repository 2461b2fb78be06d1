// The options and the vault of docs/guide/credentials.md.
using Postrider.Client;

internal static class Surroundings
{
    public static readonly ClientOptions options = null!;
    public static readonly Vault vault = null!;
}

internal sealed class Vault
{
    public Task<string> ReadAsync(string name, CancellationToken ct) => Task.FromResult(name);
}
