using System.Text;
using Postrider.Credentials;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Trust;

/// <summary>Converts exports and imports of an account's claims to the broker's options.</summary>
/// <remarks>Source: nats-server, activation tokens.</remarks>
internal static class ClaimSharing
{
    private const string Everybody = "*";

    /// <summary>The exports in claims.</summary>
    public static ExportOptions[] Exports(AccountClaims claims) => [.. claims.Exports.Select(static export => new ExportOptions
    {
        Type = TypeOf(export.Kind),
        Subject = export.Subject,
        RequiresToken = export.TokenRequired,
        AccountTokenPosition = export.AccountTokenPosition,
        ResponseType = (ServiceResponseType)(int)export.ResponseType,
        ResponseThreshold = export.ResponseThreshold > TimeSpan.Zero ? export.ResponseThreshold : ExportOptions.DefaultResponseThreshold,
        Latency = export.Latency is { } latency ? new ServiceLatencyOptions(latency.Results, latency.Sampling) : null,
        AllowTrace = export.AllowTrace,
    })];

    /// <summary>One import in claims.</summary>
    /// <param name="import">The import.</param>
    /// <param name="importer">The importing account's public key.</param>
    /// <param name="exporter">The exporting account; null when it is unknown.</param>
    /// <param name="now">The current time, for the token of the import.</param>
    public static ImportOptions Import(AccountImport import, string importer, AccountClaims? exporter, DateTimeOffset now)
    {
        var options = new ImportOptions
        {
            Type = TypeOf(import.Kind),
            Account = import.Account,
            Subject = import.Subject,
            To = NullIfEmpty(import.LocalSubject),
            Share = import.Share,
            AllowTrace = import.AllowTrace,
            IsAuthorized = exporter is not null && IsActivated(import, importer, exporter, now),
        };
        if (options.To is not null || NullIfEmpty(import.To) is not { } to) return options;
        // The older form: a prefix for a stream; the exporting account's subject for a service.
        return options.Type == ExportType.Stream ? options with { Prefix = to } : options with { Subject = to, To = import.Subject };
    }

    /// <summary>The problems with the tokens of an account's imports, whoever exports: such an account is invalid.</summary>
    public static IEnumerable<string> FindProblems(AccountClaims claims)
    {
        foreach (var import in claims.Imports.Where(static import => !string.IsNullOrEmpty(import.Token)))
        {
            var activation = Read(import);
            if (activation is null || !IsFor(activation, import, claims.Subject) || (activation.Issuer != import.Account && activation.IssuerAccount != import.Account))
                yield return $"The activation token of the import '{import.Subject}' is not valid for it.";
        }
    }

    /// <summary>When the next token of an import expires; null for never.</summary>
    public static DateTimeOffset? FindNextEnd(AccountClaims claims, DateTimeOffset now)
        => claims.Imports.Select(static import => Read(import)?.Expires).Where(end => end > now).Min();

    private static ExportType TypeOf(ExportKind kind) => kind == ExportKind.Stream ? ExportType.Stream : ExportType.Service;

    private static string? NullIfEmpty(string? text) => string.IsNullOrEmpty(text) ? null : text;

    private static bool IsActivated(AccountImport import, string importer, AccountClaims exporter, DateTimeOffset now)
    {
        if (Read(import) is not { } activation || !IsFor(activation, import, importer)) return false;
        if (activation.Expires <= now || activation.NotBefore > now || exporter.FindSigner(activation.Issuer) is null) return false;
        // A signing key signs for the account that the token names.
        if (activation.Issuer != exporter.Subject && activation.IssuerAccount != exporter.Subject) return false;
        return !exporter.Exports.Where(export => export.Kind == import.Kind && Covers(export, import)).Any(export => IsRevoked(export, activation));
    }

    private static bool IsFor(ActivationClaims activation, AccountImport import, string importer)
        => activation.Subject == importer && activation.Kind == import.Kind
            && Subject.Matches(Encoding.UTF8.GetBytes(import.Subject), Encoding.UTF8.GetBytes(activation.ImportSubject));

    private static bool Covers(AccountExport export, AccountImport import) => Subject.Matches(Encoding.UTF8.GetBytes(import.Subject), Encoding.UTF8.GetBytes(export.Subject));

    private static bool IsRevoked(AccountExport export, ActivationClaims activation)
        => activation.IssuedAt is not { } issued
            || (export.Revocations.TryGetValue(Everybody, out var all) && all >= issued)
            || (export.Revocations.TryGetValue(activation.Subject, out var own) && own >= issued);

    private static ActivationClaims? Read(AccountImport import)
    {
        if (string.IsNullOrEmpty(import.Token)) return null;
        try
        {
            return NatsJwt.DecodeAnyTime<ActivationClaims>(import.Token);
        }
        catch (CredentialsException)
        {
            return null;
        }
    }
}
