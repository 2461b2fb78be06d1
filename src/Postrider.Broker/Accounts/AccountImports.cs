namespace Postrider.Broker.Accounts;

/// <summary>An account's imports, prepared for routing.</summary>
/// <remarks>Immutable and thread-safe.</remarks>
internal sealed class AccountImports
{
    private AccountImports(StreamImport[] streams, ServiceImport[] services, ImportOptions[] invalid) => (Streams, Services, Invalid) = (streams, services, invalid);

    /// <summary>The imported streams.</summary>
    public StreamImport[] Streams { get; }

    /// <summary>The imported services.</summary>
    public ServiceImport[] Services { get; }

    /// <summary>Imports without effect that monitoring shows: they had one since the account itself changed, and are no longer allowed.</summary>
    public ImportOptions[] Invalid { get; }

    private int Count => Streams.Length + Services.Length + Invalid.Length;

    /// <summary>Prepares an account's imports.</summary>
    /// <param name="registry">All accounts.</param>
    /// <param name="account">The account.</param>
    /// <param name="isOwnChange">Whether the account itself changed, and not only accounts that it imports from or the time.</param>
    /// <returns>Null for none. Unchanged imports are reused; those that do not exist or are not allowed are left out, or are <see cref="Invalid"/>.</returns>
    public static AccountImports? Create(AccountRegistry registry, Account account, bool isOwnChange)
    {
        var imports = account.Definition.Imports;
        if (imports.Count == 0) return null;
        var streams = new List<StreamImport>();
        var services = new List<ServiceImport>();
        var invalid = new List<ImportOptions>();
        // As in nats-server: if one was left out, all are read again as if the account had changed.
        var before = isOwnChange || account.Imports?.Count != imports.Count ? null : account.Imports;
        foreach (var import in imports)
        {
            if (registry.Find(import.Account) is not { } exporter
                || !exporter.Exports.Allows(import.Type, import.Subject, account.Name, import.IsAuthorized)
                || ImportPath.Create(import, out _) is not { } path)
            {
                if (before?.Includes(import) == true) invalid.Add(import);
                continue;
            }
            if (import.Type == ExportType.Stream) streams.Add(FindStream(account.Imports, exporter, import) ?? new StreamImport(exporter, import, path));
            else if (exporter.Exports.FindService(import.Subject) is { } export)
                services.Add(FindService(account.Imports, exporter, import, export) ?? new ServiceImport(registry, account, exporter, import, path, export));
        }
        return new AccountImports([.. streams], [.. services], [.. invalid]);
    }

    private bool Includes(ImportOptions import)
        => Streams.Select(static stream => stream.Options).Concat(Services.Select(static service => service.Options)).Concat(Invalid)
            .Any(known => (known with { IsAuthorized = import.IsAuthorized }) == import);

    private static StreamImport? FindStream(AccountImports? before, Account exporter, ImportOptions import)
        => before is null ? null : Array.Find(before.Streams, known => ReferenceEquals(known.Exporter, exporter) && known.Options == import);

    private static ServiceImport? FindService(AccountImports? before, Account exporter, ImportOptions import, ServiceExport export)
        => before is null
            ? null
            : Array.Find(before.Services, known => ReferenceEquals(known.Exporter, exporter) && known.Options == import && known.Export == export);
}
