using System.Text;
using Postrider.Broker.Tracing;

namespace Postrider.Broker.Accounts;

/// <summary>The services of the system account that every account imports.</summary>
/// <remarks>Here the services are in each account; monitoring and traces show the imports that nats-server uses instead. Thread-safe. Source: nats-server,
/// system account.</remarks>
/// <param name="system">The system account.</param>
/// <param name="importer">The account.</param>
/// <param name="hasStreams">Whether the broker has JetStream.</param>
/// <param name="domain">Its JetStream domain; null or empty for none.</param>
internal sealed class SystemImports(Account system, Account importer, bool hasStreams, string? domain)
{
    private const string Api = "$JS.API.";
    private const string AllOfApi = Api + ">";

    // Streams and consumers serve these in the account itself.
    private static readonly string[] NotImported = ["DIRECT.GET", "CONSUMER.MSG.NEXT."];

    private readonly byte[] _domainApi = string.IsNullOrEmpty(domain) ? [] : Encoding.UTF8.GetBytes($"$JS.{domain}.API.");

    /// <summary>The imports of an account.</summary>
    /// <param name="account">Its name.</param>
    /// <param name="isSystem">Whether it is the system account.</param>
    /// <param name="hasStreams">Whether the broker has JetStream.</param>
    /// <param name="imports">Its configured imports: an imported JetStream API of another account replaces the own one.</param>
    /// <returns>The subject in the system account, the one in the account, and whether the service receives the description of the requester.</returns>
    public static IEnumerable<(string Subject, string Local, bool Share)> Of(string account, bool isSystem, bool hasStreams, IReadOnlyList<ImportOptions> imports)
    {
        if (!isSystem)
        {
            yield return ($"$SYS.REQ.ACCOUNT.{account}.CONNZ", "$SYS.REQ.ACCOUNT.PING.CONNZ", false);
            yield return ($"$SYS.REQ.ACCOUNT.{account}.CONNZ", "$SYS.REQ.SERVER.PING.CONNZ", false);
            yield return ($"$SYS.REQ.ACCOUNT.{account}.STATZ", "$SYS.REQ.ACCOUNT.PING.STATZ", false);
        }
        yield return ($"$SYS.REQ.USER.{account}.INFO", "$SYS.REQ.USER.INFO", true);
        if (!isSystem && hasStreams && !imports.Any(static import => ImportPath.LocalSubject(import).StartsWith(Api, StringComparison.Ordinal)))
            yield return (AllOfApi, AllOfApi, true);
    }

    /// <summary>Adds a step to the trace of a message to one of these services.</summary>
    /// <param name="trace">The trace.</param>
    /// <param name="subject">The subject in the account.</param>
    /// <returns>False for other messages.</returns>
    public bool TryNote(MessageTrace trace, ReadOnlySpan<byte> subject)
    {
        if (subject.IsEmpty || subject[0] != '$') return false;
        var local = Encoding.UTF8.GetString(subject);
        // nats-server maps these; here they have separate subscriptions.
        if (hasStreams && _domainApi.Length > 0 && subject.StartsWith(_domainApi) && DefaultDomain.Has(subject[_domainApi.Length..]))
        {
            local = Api + Encoding.UTF8.GetString(subject[_domainApi.Length..]);
            trace.AddMapping(Encoding.UTF8.GetBytes(local));
        }
        if (FindService(local) is not { } service) return false;
        trace.AddServiceImport(system.Name, Encoding.UTF8.GetBytes(local), Encoding.UTF8.GetBytes(service));
        return true;
    }

    private string? FindService(string local)
    {
        foreach (var (subject, own, _) in Of(importer.Name, importer.IsSystem, hasStreams, importer.Definition.Imports))
        {
            if (own == local) return subject;
            if (own == AllOfApi && local.Length > Api.Length && local.StartsWith(Api, StringComparison.Ordinal)
                && !NotImported.Any(start => local.AsSpan(Api.Length).StartsWith(start, StringComparison.Ordinal))) return local;
        }
        return null;
    }
}
