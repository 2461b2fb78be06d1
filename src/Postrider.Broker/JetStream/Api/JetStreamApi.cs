using Postrider.Broker.JetStream.Streams;

namespace Postrider.Broker.JetStream.Api;

/// <summary>The JetStream API of streams and their messages.</summary>
internal static class JetStreamApi
{
    /// <summary>Serves the API in an account. Before its streams are recovered.</summary>
    public static void Map(JetStreamAccount account)
    {
        var api = new ApiRouter(account);
        StreamApi.Register(api);
        SnapshotApi.Register(api);
        MessageApi.Register(api);
        account.Engine.SubscribeDirectGets = DirectGet.Subscribe;
        account.Account.NoRespondersExemption = new ApiSubjects(account.Engine.Options.Domain);
    }
}
