using System.Text;
using Postrider.Broker.Accounts;
using Postrider.Broker.JetStream.Sourcing;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.Routing;

namespace Postrider.Broker.JetStream.Api;

/// <summary>The JetStream API of streams and their messages.</summary>
internal static class JetStreamApi
{
    /// <summary>Serves the API in an account. Called before its streams are recovered.</summary>
    public static void Map(JetStreamAccount account)
    {
        Register(new ApiRouter(account));
        account.Account.DomainApi = account.Engine.Options.Domain is { Length: > 0 } domain ? Encoding.UTF8.GetBytes($"$JS.{domain}.API.") : null;
        DomainForwarder.Subscribe(account);
        account.Engine.SubscribeDirectGets = DirectGet.Subscribe;
        account.Engine.FollowSource = SourceFollowers.Create;
        account.Account.NoRespondersExemption = new ApiSubjects(account.Engine.Options.Domain);
    }

    /// <summary>Responds to API requests in an account without JetStream.</summary>
    /// <returns>The subscriptions.</returns>
    public static IReadOnlyList<Subscription> MapNotEnabled(JetStreamEngine engine, Account account)
    {
        var api = new ApiRouter(engine, account);
        Register(api);
        account.NoRespondersExemption = new ApiSubjects(engine.Options.Domain);
        return [.. api.Subscriptions, .. engine.Consumers?.RegisterNotEnabled(engine, account) ?? []];
    }

    private static void Register(ApiRouter api)
    {
        StreamApi.Register(api);
        SnapshotApi.Register(api);
        MessageApi.Register(api);
    }
}
