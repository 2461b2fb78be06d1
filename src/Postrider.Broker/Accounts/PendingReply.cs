namespace Postrider.Broker.Accounts;

/// <summary>A request to a service of another account that waits for its answer.</summary>
/// <param name="Subject">The subject that the answer is expected on.</param>
/// <param name="ReplyTo">The requester's reply subject.</param>
/// <param name="Account">The requester's account.</param>
/// <param name="Import">The import that the request came through.</param>
/// <param name="Sample">Measures the answer; null where it is not measured.</param>
internal sealed record PendingReply(string Subject, string ReplyTo, string Account, ServiceImport Import, LatencySample? Sample);
