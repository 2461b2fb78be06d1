using System.Text;
using Postrider.Broker.Accounts;
using Postrider.Broker.JetStream.Api;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.Routing;
using Postrider.Broker.Sessions;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Hosting;

/// <summary>Offers the broker's own services in each account, and JetStream in the accounts that have it enabled.</summary>
/// <remarks>Not thread-safe: the account registry calls it for one change at a time.</remarks>
/// <param name="context">The broker's context.</param>
/// <param name="jetStream">The streams; null where JetStream is disabled.</param>
/// <param name="services">The system account's services; null without that account.</param>
internal sealed class AccountProvisioner(SessionContext context, JetStreamEngine? jetStream, SystemServices? services)
{
    private readonly Dictionary<Account, IReadOnlyList<Subscription>> _refusals = [];
    private readonly ClusterJetStreamApi? _clusterApi = jetStream is null && context.Options.Cluster is not null ? new ClusterJetStreamApi(context.Accounts) : null;

    /// <summary>Offers the services in the existing accounts, whose streams are not recovered yet, and in accounts that are added later.</summary>
    public void Begin()
    {
        foreach (var account in context.Accounts.All) Provision(account);
        context.Accounts.Added = Add;
        context.Accounts.Changed = Change;
        context.Accounts.Removed = Remove;
        context.Accounts.ImportsChanged = account =>
        {
            foreach (var session in context.Sessions.Open.Where(session => ReferenceEquals(session.State.Account, account))) SessionReload.RefreshImports(session);
        };
    }

    private void Provision(Account account)
    {
        var subject = UserInfoService.SubjectBytes;
        account.Subscriptions.Add(subject, [], new Subscription(new UserInfoService(context, account), subject, []));
        services?.OfferIn(account);
        if (context.Accounts.System is { } system) account.SystemImports = new SystemImports(system, account, jetStream is not null, jetStream?.Options.Domain);
        _clusterApi?.Update(account);
        if (jetStream is null) return;
        if (account.IsSystem) SystemJetStreamApi.Map(jetStream, account);
        else if (FindLimits(jetStream, account) is { } limits) Enable(jetStream, account, limits);
        else Refuse(jetStream, account);
    }

    private void Add(Account account)
    {
        Provision(account);
        if (jetStream is not null && Find(jetStream, account) is { } streams) JetStreamRecovery.Recover(streams);
    }

    private void Change(Account account)
    {
        _clusterApi?.Update(account);
        if (jetStream is null || account.IsSystem) return;
        var (streams, limits) = (Find(jetStream, account), FindLimits(jetStream, account));
        if (streams is not null && limits is not null)
        {
            streams.Limits = AccountLimits.Of(limits);
        }
        else if (limits is not null)
        {
            EndRefusals(account);
            JetStreamRecovery.Recover(Enable(jetStream, account, limits));
        }
        else if (streams is not null)
        {
            jetStream.Disable(streams);
            account.DomainApi = null;
            Refuse(jetStream, account);
        }
        else
        {
            Refuse(jetStream, account);
        }
    }

    private void Remove(Account account)
    {
        _refusals.Remove(account);
        _clusterApi?.Remove(account);
        if (jetStream is not null && Find(jetStream, account) is { } streams) jetStream.Disable(streams);
    }

    // An account that imports the API of another account gets its responses from there.
    private void Refuse(JetStreamEngine engine, Account account)
    {
        if (account.Definition.Imports.Any(CoversJetStreamInfo)) EndRefusals(account);
        else if (!_refusals.ContainsKey(account)) _refusals[account] = JetStreamApi.MapNotEnabled(engine, account);
    }

    private void EndRefusals(Account account)
    {
        if (!_refusals.Remove(account, out var refusals)) return;
        foreach (var refusal in refusals) refusal.Leave(account.Subscriptions);
    }

    private static bool CoversJetStreamInfo(ImportOptions import)
        => import.Type == ExportType.Service && Subject.Matches("$JS.API.INFO"u8, Encoding.UTF8.GetBytes(ImportPath.LocalSubject(import)));

    private static JetStreamAccount? Find(JetStreamEngine engine, Account account)
        => engine.Accounts.FirstOrDefault(streams => ReferenceEquals(streams.Account, account));

    private static JetStreamAccount Enable(JetStreamEngine engine, Account account, JetStreamAccountLimits limits)
    {
        var streams = engine.Enable(account, AccountLimits.Of(limits));
        JetStreamApi.Map(streams);
        return streams;
    }

    // The global account has JetStream while it is the only account, and keeps it when others are added.
    private JetStreamAccountLimits? FindLimits(JetStreamEngine engine, Account account)
    {
        if (account.Definition.JetStream is { } limits) return limits;
        return ReferenceEquals(account, context.Accounts.Global) && context.Options.OperatorMode is not { IsOn: true } && (context.Accounts.IsGlobalOnly || Find(engine, account) is not null)
            ? engine.Options.AccountLimits
            : null;
    }
}
