using System.Text.Json;
using Postrider.Client;
using Postrider.Client.Services;
using Postrider.Dispatch;

namespace Postrider.Transport.Nats;

/// <summary>Shows the handlers of a process over NATS, as JSON.</summary>
public static class HandlerServiceExtensions
{
    // Half of the usual max_payload: names and quotes make JSON larger than its content.
    private const int MaxBytes = 512 * 1024;

    /// <summary>Adds a NATS service that replies on <c>postrider.handlers</c> with the message types of a container, their handlers and routes, and their
    /// middleware. The dashboard's pages of services and routes show them.</summary>
    /// <param name="client">A connected client; its server's permissions define who may send requests.</param>
    /// <param name="map">The handler map of the container.</param>
    /// <param name="application">The display name of the application.</param>
    /// <param name="name">The name of the service.</param>
    /// <param name="routes">The route table of the container, for the dashboard's page of routes; null to show handlers only.</param>
    /// <returns>The service; disposing it ends it.</returns>
    /// <remarks>
    /// Each instance replies: the endpoint has no queue group. The reply is <c>{"application":"orders","messages":[{"message":"PlaceOrder","kind":"command",
    /// "response":"","handlers":["PlaceOrderHandler"],"middleware":[],"lifetime":"Singleton","transport":"","destination":"","why":"PlaceOrder is not routed: …"}],"omitted":0}</c>, with at most 512 KiB of messages and the
    /// number of those that did not fit. Source: NATS ADR-32.
    /// </remarks>
    /// <example><code>
    /// await using var handlers = client.AddHandlerService(services.GetRequiredService&lt;IHandlerMap&gt;(), "orders", routes: services.GetRequiredService&lt;IRouteTable&gt;());
    /// </code></example>
    public static NatsService AddHandlerService(this NatsClient client, IHandlerMap map, string application, string name = "postrider-handlers", IRouteTable? routes = null)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(map);
        ArgumentException.ThrowIfNullOrEmpty(application);
        var service = client.AddService(new ServiceOptions { Name = name, Version = "1.0.0", Description = $"Handlers of {application}", QueueGroup = null });
        // The wiring of a container does not change.
        var reply = new Lazy<byte[]>(() => Describe(map, routes, application));
        service.AddGroup("postrider").AddEndpoint<byte[], byte[]>("handlers", (_, _) => ValueTask.FromResult(reply.Value));
        return service;
    }

    private static byte[] Describe(IHandlerMap map, IRouteTable? routes, string application)
    {
        var routeOf = routes?.Routes.ToDictionary(static route => route.Message, StringComparer.Ordinal) ?? [];
        var (shown, bytes) = (new List<HandlerEntry>(), 0);
        foreach (var message in map.Messages)
        {
            var entry = HandlerEntry.Of(message, routeOf.GetValueOrDefault(message.Message), routes?.Explain(message.Message) ?? "");
            bytes += JsonSerializer.SerializeToUtf8Bytes(entry, HandlerJson.Default.HandlerEntry).Length + 1;
            if (bytes > MaxBytes) break;
            shown.Add(entry);
        }

        return JsonSerializer.SerializeToUtf8Bytes(new HandlerPage { Application = application, Messages = shown, Omitted = map.Messages.Count - shown.Count }, HandlerJson.Default.HandlerPage);
    }
}
