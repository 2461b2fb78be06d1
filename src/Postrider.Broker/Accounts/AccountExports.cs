using System.Diagnostics.CodeAnalysis;
using System.Text;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Accounts;

/// <summary>What an account offers to others, and to whom.</summary>
/// <remarks>Filled by one thread, then immutable. Source: nats-server, exports of
/// accounts. Where several patterns cover an import, the first of them
/// decides; in nats-server the choice is random.</remarks>
/// <param name="account">The account's name.</param>
internal sealed class AccountExports(string account)
{
    private const string InvalidSubject = "sublist: invalid subject";

    private readonly OrderedDictionary<string, Approval> _streams = new(StringComparer.Ordinal);
    private readonly OrderedDictionary<string, Approval> _services = new(StringComparer.Ordinal);

    /// <summary>Reads an account's exports; invalid ones are left out.</summary>
    public static AccountExports Create(AccountOptions options)
    {
        var exports = new AccountExports(options.Name);
        foreach (var export in options.Exports)
        {
            if (exports.Add(export) is null && export is { Type: ExportType.Service, Latency: not null }) exports.AddLatency(export);
        }
        return exports;
    }

    /// <summary>Adds an export without its latency measurement; several exports of the same subject are combined.</summary>
    /// <returns>The problem in nats-server's words, or null.</returns>
    public string? Add(ExportOptions export)
    {
        var all = export.Type == ExportType.Stream ? _streams : _services;
        if (export.AccountTokenPosition != 0 && !IsWildcardAt(export.Subject, export.AccountTokenPosition)) return InvalidSubject;
        if (!all.TryGetValue(export.Subject, out var approval)) all[export.Subject] = approval = new Approval();
        approval.Position = export.AccountTokenPosition;
        approval.RequiresToken |= export.RequiresToken;
        approval.Accounts.UnionWith(export.Accounts);
        if (export.Type == ExportType.Stream) return null;
        var responseType = export.ResponseType == ServiceResponseType.Singleton && approval.Service is { } before ? before.ResponseType : export.ResponseType;
        approval.Service = new ServiceExport(account, export.Subject, responseType, export.ResponseThreshold, approval.Service?.Latency, export.AllowTrace || approval.Service is { AllowTrace: true });
        return null;
    }

    /// <summary>Adds the latency measurement of an export that was added before.</summary>
    /// <returns>The problem in nats-server's words, or null.</returns>
    public string? AddLatency(ExportOptions export)
    {
        if (export.Latency is not { } latency) return null;
        if (latency.SamplingPercent is < 0 or > 100) return "bad sampling percentage, should be 1-100";
        // Measuring the measurements themselves would never end.
        if (!Subject.IsLiteral(Encoding.UTF8.GetBytes(latency.Subject)) || FindService(latency.Subject) is not null) return "invalid publish subject";
        var approval = _services[export.Subject];
        if (approval.Service!.ResponseType != ServiceResponseType.Singleton) return "bad service response type";
        approval.Service = approval.Service with { Latency = latency };
        return null;
    }

    /// <summary>Whether another account may import a subject or pattern.</summary>
    /// <param name="type">Stream or service.</param>
    /// <param name="subject">The imported subject or pattern.</param>
    /// <param name="importer">The importing account's name.</param>
    /// <param name="hasToken">Whether the importing account has a token that allows the import.</param>
    public bool Allows(ExportType type, string subject, string importer, bool hasToken = false)
        => Subject.IsValid(Encoding.UTF8.GetBytes(subject))
            && TryFind(type == ExportType.Stream ? _streams : _services, subject, out var approval, out var isWhole)
            && approval.Allows(importer, isWhole ? null : subject.Split('.'), hasToken);

    /// <summary>Whether an exported stream covers a subject or pattern.</summary>
    public bool HasStream(string subject) => TryFind(_streams, subject, out _, out _);

    /// <summary>The exported service that covers a subject or pattern, or null.</summary>
    public ServiceExport? FindService(string subject) => TryFind(_services, subject, out var approval, out _) ? approval.Service : null;

    private static bool TryFind(OrderedDictionary<string, Approval> all, string subject, [NotNullWhen(true)] out Approval? approval, out bool isWhole)
    {
        isWhole = true;
        if (all.TryGetValue(subject, out approval)) return true;
        isWhole = false;
        var bytes = Encoding.UTF8.GetBytes(subject);
        foreach (var (pattern, candidate) in all)
        {
            if (!Subject.Matches(bytes, Encoding.UTF8.GetBytes(pattern))) continue;
            approval = candidate;
            return true;
        }
        return false;
    }

    private static bool IsWildcardAt(string subject, int position)
    {
        var tokens = subject.Split('.');
        return position > 0 && position <= tokens.Length && tokens[position - 1] == "*";
    }

    private sealed class Approval
    {
        public HashSet<string> Accounts { get; } = new(StringComparer.Ordinal);

        public int Position { get; set; }

        public bool RequiresToken { get; set; }

        public ServiceExport? Service { get; set; }

        // The tokens of the import when it covers only a part of the export; null when it covers all of it, which contains no account token.
        public bool Allows(string importer, string[]? tokens, bool hasToken)
        {
            if (Accounts.Count == 0 && !RequiresToken && Position == 0) return true;
            if (Position > 0) return tokens is not null && Position <= tokens.Length && tokens[Position - 1] == importer;
            return RequiresToken ? hasToken : Accounts.Contains(importer);
        }
    }
}
