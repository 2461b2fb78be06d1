using System.Text;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Accounts;

/// <summary>The imports checked so far, to find cycles among them.</summary>
/// <remarks>Not thread-safe. Source: nats-server, imports of accounts.</remarks>
/// <param name="exports">The exports of each account.</param>
internal sealed class ImportCycles(IReadOnlyDictionary<string, AccountExports> exports)
{
    private const string Cycle = "import forms a cycle";
    private const string TooDeep = "search cycle depth exhausted";
    private const int MaxDepth = 1024;

    // Accounts that import from several others are searched along every path; ten million steps take about a second.
    private const int MaxSteps = 10_000_000;

    private readonly Dictionary<string, List<Link>> _streams = new(StringComparer.Ordinal);
    private readonly Dictionary<string, List<Link>> _services = new(StringComparer.Ordinal);
    private int _steps;

    /// <summary>Adds an import that has no problem.</summary>
    public void Add(string importer, ImportOptions import, ImportPath path)
    {
        var all = import.Type == ExportType.Stream ? _streams : _services;
        if (!all.TryGetValue(importer, out var links)) all[importer] = links = [];
        links.Add(new Link(import.Account, path.From, path.To));
    }

    /// <summary>Whether an account already imports a subject of another one, and which.</summary>
    /// <returns>For a stream any subject, for a service the exporting account's; null when there is none.</returns>
    public string? FindDuplicate(string importer, ImportOptions import, ImportPath path)
        => (import.Type == ExportType.Stream ? _streams : _services).GetValueOrDefault(importer)?
            .Find(link => link.Account == import.Account && link.From == path.From)?.To;

    /// <summary>Checks whether an import would close a cycle.</summary>
    /// <returns>The problem in nats-server's words, or null.</returns>
    public string? FindProblem(string importer, ImportOptions import, ImportPath path)
    {
        var visited = new HashSet<string>(StringComparer.Ordinal) { importer };
        if (import.Type == ExportType.Service) return FollowService(import.Account, path.From, visited);
        return FollowStream(import.Account, path.To, visited) ?? FollowStream(import.Account, path.From, new(StringComparer.Ordinal) { importer });
    }

    private static bool Collide(string first, string second) => Subject.Collide(Encoding.UTF8.GetBytes(first), Encoding.UTF8.GetBytes(second));

    private static bool Matches(string subject, string pattern) => Subject.Matches(Encoding.UTF8.GetBytes(subject), Encoding.UTF8.GetBytes(pattern));

    private string? FollowService(string account, string from, HashSet<string> visited)
    {
        if (visited.Count >= MaxDepth) return TooDeep;
        foreach (var link in _services.GetValueOrDefault(account) ?? [])
        {
            if (++_steps > MaxSteps) return TooDeep;
            if (!Collide(from, link.To)) continue;
            if (visited.Contains(link.Account)) return Cycle;
            visited.Add(account);
            if (FollowService(link.Account, Matches(link.From, from) ? link.From : from, visited) is { } problem) return problem;
        }
        return null;
    }

    private string? FollowStream(string account, string to, HashSet<string> visited)
    {
        if (visited.Count >= MaxDepth) return TooDeep;
        if (exports.GetValueOrDefault(account)?.HasStream(to) != true) return null;
        foreach (var link in _streams.GetValueOrDefault(account) ?? [])
        {
            if (++_steps > MaxSteps) return TooDeep;
            if (!Collide(to, link.To)) continue;
            if (visited.Contains(link.Account)) return Cycle;
            visited.Add(account);
            if (FollowStream(link.Account, Matches(link.To, to) ? link.To : to, visited) is { } problem) return problem;
        }
        return null;
    }

    // A link to another account. For a stream, From is that account's subject; for a service, To is.
    private sealed record Link(string Account, string From, string To);
}
