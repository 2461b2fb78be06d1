namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>What the server and the account allow consumers; 0 or less for no limit.</summary>
/// <param name="ServerMaxAckPending">Open deliveries, of the server.</param>
/// <param name="AccountMaxAckPending">Open deliveries, of the account.</param>
/// <param name="MaxRequestBatch">Messages of one pull.</param>
internal readonly record struct ServerConsumerLimits(long ServerMaxAckPending, long AccountMaxAckPending, long MaxRequestBatch);
