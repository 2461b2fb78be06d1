using Postrider.Client;

namespace Postrider.InteropTests.Client;

/// <summary>A running server that tests share.</summary>
public interface IServerFixture
{
    /// <summary>Connects a client of its own.</summary>
    Task<NatsClient> ConnectAsync(Action<ClientOptions>? configure = null);
}
