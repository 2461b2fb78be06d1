namespace Postrider.Broker.JetStream.Api;

/// <summary>Handles one request of the API.</summary>
/// <param name="request">Valid during the call.</param>
internal delegate void ApiHandler(scoped in ApiRequest request);
