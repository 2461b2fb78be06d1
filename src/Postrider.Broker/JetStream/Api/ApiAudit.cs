using System.Text;
using Postrider.Broker.JetStream.Advisories;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.Routing;

namespace Postrider.Broker.JetStream.Api;

/// <summary>Publishes requests of the API and their responses as advisories.</summary>
internal static class ApiAudit
{
    private static ReadOnlySpan<byte> Subject => "$JS.EVENT.ADVISORY.API"u8;

    /// <summary>Publishes a request and its response if the advisory has interest.</summary>
    public static void Publish(scoped in ApiRequest request, ReadOnlySpan<byte> answer)
    {
        var services = request.Account.Services;
        if (!InternalPublisher.HasInterest(services.Subscriptions, Subject, request.Batch)) return;
        var advisory = new ApiAuditAdvisory
        {
            Type = "io.nats.jetstream.advisory.v1.api_audit",
            Server = services.ServerName,
            Client = AdvisoryPublisher.Describe(services, request.Publisher, request.Headers),
            Subject = Encoding.UTF8.GetString(request.Subject),
            Request = request.Payload.IsEmpty ? null : Encoding.UTF8.GetString(request.Payload),
            Response = Encoding.UTF8.GetString(answer),
            Domain = services.Options.Domain,
        };
        InternalPublisher.Publish(services.Subscriptions, Subject, AdvisoryPublisher.Render(services, advisory, StreamJson.Default.ApiAuditAdvisory), request.Batch);
    }
}
