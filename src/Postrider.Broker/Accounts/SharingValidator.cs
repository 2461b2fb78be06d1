namespace Postrider.Broker.Accounts;

/// <summary>Checks that exports and imports of accounts match.</summary>
/// <remarks>Order and texts are nats-server's: exports of all accounts, then imports; streams before services.</remarks>
internal static class SharingValidator
{
    /// <summary>Checks the accounts of a broker.</summary>
    /// <exception cref="BrokerException">With <see cref="BrokerError.InvalidOptions"/>: an export or import is invalid.</exception>
    public static void Validate(BrokerOptions options)
    {
        if (Problems(options.Accounts, options.SystemAccountName is not null) is [var problem, ..])
            throw new BrokerException(BrokerError.InvalidOptions, problem);
    }

    /// <summary>All problems.</summary>
    /// <param name="accounts">All accounts.</param>
    /// <param name="hasSystemAccount">Whether there is a system account, which measurements need.</param>
    public static IReadOnlyList<string> Problems(IReadOnlyList<AccountOptions> accounts, bool hasSystemAccount)
    {
        if (accounts.All(static account => account.Exports.Count == 0 && account.Imports.Count == 0)) return [];
        var problems = new List<string>();
        var names = accounts.Select(static account => account.Name).ToHashSet(StringComparer.Ordinal);
        var exports = new Dictionary<string, AccountExports>(StringComparer.Ordinal);
        foreach (var account in accounts) exports.TryAdd(account.Name, new AccountExports(account.Name));
        foreach (var type in (ReadOnlySpan<ExportType>)[ExportType.Stream, ExportType.Service])
        {
            foreach (var account in accounts)
                foreach (var export in account.Exports.Where(export => export.Type == type))
                    CheckExport(export, exports[account.Name], names, hasSystemAccount, problems);
        }
        var cycles = new ImportCycles(exports);
        foreach (var type in (ReadOnlySpan<ExportType>)[ExportType.Stream, ExportType.Service])
        {
            foreach (var account in accounts)
                foreach (var import in account.Imports.Where(import => import.Type == type))
                    if (FindProblem(account.Name, import, exports, cycles) is { } problem) problems.Add(problem);
        }
        return problems;
    }

    private static void CheckExport(ExportOptions export, AccountExports exports, HashSet<string> names, bool hasSystemAccount, List<string> problems)
    {
        var (what, subject) = (NameOf(export.Type), GoQuote.Quote(export.Subject));
        foreach (var missing in export.Accounts.Where(name => !names.Contains(name)))
            problems.Add($"{GoQuote.Quote(missing)} account not defined for {what} export");
        if (exports.Add(export) is { } problem)
        {
            problems.Add($"Error adding {what} export {subject}: {problem}");
            return;
        }
        if (export.Type == ExportType.Stream && (export.Latency is not null || export.ResponseType != ServiceResponseType.Singleton))
            problems.Add($"Error adding stream export {subject}: a response type and latency are of services only");
        if (export.ResponseThreshold <= TimeSpan.Zero)
            problems.Add($"Error adding {what} export {subject}: response threshold {GoDuration.Format(export.ResponseThreshold)} must be positive");
        if (export is not { Type: ExportType.Service, Latency: { } latency }) return;
        if (!hasSystemAccount) problems.Add($"Error adding service latency sampling for {subject}: system account not setup");
        else if (exports.AddLatency(export) is { } why) problems.Add($"Error adding service latency sampling for {subject} on subject {GoQuote.Quote(latency.Subject)}: {why}");
    }

    private static string? FindProblem(string importer, ImportOptions import, Dictionary<string, AccountExports> exports, ImportCycles cycles)
    {
        var what = NameOf(import.Type);
        if (!exports.TryGetValue(import.Account, out var exporter)) return $"{GoQuote.Quote(import.Account)} account not defined for {what} import";
        return FindProblem(importer, import, exporter, cycles) is { } problem ? $"Error adding {what} import {GoQuote.Quote(import.Subject)}: {problem}" : null;
    }

    private static string? FindProblem(string importer, ImportOptions import, AccountExports exporter, ImportCycles cycles)
    {
        var isStream = import.Type == ExportType.Stream;
        if (import.Prefix is { Length: > 0 } && import is { To.Length: > 0 }) return "Stream import can not have a 'prefix' and a 'to' property";
        if (!isStream && import.Prefix is { Length: > 0 }) return "a 'prefix' is of streams only; use 'to'";
        if (isStream && !Allows()) return "stream import not authorized";
        if (isStream && import.Prefix is { Length: > 0 } prefix && prefix.Split('.').Any(static token => token is "*" or ">"))
            return "stream import prefix can not contain wildcard tokens";
        var path = ImportPath.Create(import, out var problem);
        if (path is null && problem == ImportPath.InvalidSubject) return problem;
        if (!Allows()) return "service import not authorized";
        if (path is null) return problem;
        if (cycles.FindProblem(importer, import, path) is { } cycle) return cycle;
        if (cycles.FindDuplicate(importer, import, path) is { } duplicate)
        {
            return isStream
                ? "stream import already exists"
                : $"duplicate service import subject {GoQuote.Quote(path.From)}, previously used in import for account {GoQuote.Quote(import.Account)}, subject {GoQuote.Quote(duplicate)}";
        }
        cycles.Add(importer, import, path);
        return null;

        bool Allows() => exporter.Allows(import.Type, import.Subject, importer, import.IsAuthorized);
    }

    private static string NameOf(ExportType type) => type == ExportType.Stream ? "stream" : "service";
}
