using System.Net.Http;
using System.Net.Mime;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Threading.Channels;
using CloudNative.CloudEvents;
using CloudNative.CloudEvents.Http;
using CloudNative.CloudEvents.SystemTextJson;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Contract;

/// <summary>Case 21: CloudEvents in both forms, beside the library of the specification's own project.</summary>
public abstract class CloudEventCases(TransportHarness harness) : HeaderCases(harness)
{
    private const string Trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private static readonly JsonSerializerProvider s_json = new(EventJson.Default);
    private static readonly JsonEventFormatter s_formatter = new();

    [Theory]
    [InlineData(CloudEventForm.Binary)]
    [InlineData(CloudEventForm.Structured)]
    public async Task Case_21_what_a_route_writes_is_the_event_that_others_read(CloudEventForm form)
    {
        var destination = await NewDestinationAsync();
        await using var arrivals = await ListenAsync(Harness.Binding(destination));
        var target = new SendTarget(destination) { CloudEvents = new CloudEventOptions("/orders?shop=grün".Replace("ü", "%C3%BC", StringComparison.Ordinal)) { Form = form, Type = "com.example.parcel.sent" } };
        await using var services = new ServiceCollection().AddSingleton<EventLog>().AddPostrider(options => options.RouteNotification<EventNews>(_ => Transport, s_json, target)).BuildServiceProvider();
        var origin = new CallOrigin { CorrelationId = "c \"1\" %", CausationId = "m-0" };

        var sent = await services.GetRequiredService<RoutedMessages>().SendAsync(new EventNews("tea für 2", "Ada ☃"), origin, static properties => properties with { TraceParent = Trace }, Ct);
        var arrived = await arrivals.NextAsync();
        var read = form == CloudEventForm.Structured
            ? s_formatter.DecodeStructuredModeMessage(arrived.Body, new ContentType(arrived.Headers[HeaderNames.ContentType]!), extensionAttributes: null)
            : await ReadBinaryAsync(arrived);

        Assert.Equal((sent.MessageId, "com.example.parcel.sent", "/orders?shop=gr%C3%BCn", "application/json"), (read.Id, read.Type, read.Source!.OriginalString, read.DataContentType));
        Assert.Equal(("Ada ☃", "Ada ☃"), (read.Subject, read["partitionkey"]));
        Assert.Equal(("c \"1\" %", "m-0", Trace), (read["correlationid"], read["causationid"], read["traceparent"]));
        Assert.InRange(read.Time!.Value, DateTimeOffset.UtcNow.AddMinutes(-1), DateTimeOffset.UtcNow.AddMinutes(1));
        var data = (JsonElement)read.Data!;
        Assert.Equal(("tea für 2", "Ada ☃"), (data.GetProperty("text").GetString(), data.GetProperty("about").GetString()));
    }

    [Theory]
    [InlineData(ContentMode.Binary)]
    [InlineData(ContentMode.Structured)]
    public async Task Case_21_event_of_others_is_read_by_a_binding(ContentMode mode)
    {
        var destination = await NewDestinationAsync();
        await using var services = new ServiceCollection().AddSingleton<EventLog>().AddPostrider().BuildServiceProvider();
        await using var pump = new MessagePump(Transport, s_json, services).Notification<EventNews>(Harness.Binding(destination) with { CloudEvents = new CloudEventOptions("/answers") });
        await pump.StartAsync(Ct);
        var written = new CloudEvent
        {
            Id = "e 1 ü",
            Source = new Uri("https://example.com/süd"),
            Type = "com.example.parcel.sent",
            Subject = "Ada ☃",
            Time = new DateTimeOffset(2026, 11, 24, 12, 0, 0, TimeSpan.FromHours(1)),
            DataContentType = "application/json",
            Data = new EventNews("tea für 2", "Ada"),
            ["correlationid"] = "c-1",
            ["traceparent"] = Trace,
            ["colour"] = "grün",
        };

        await Transport.SendAsync(await WriteAsync(destination, written, mode), Ct);
        // A message that is no event is read as ever.
        await Transport.SendAsync(Message(destination, """{"text":"plain"}""", new Headers { { HeaderNames.MessageId, "m-2" } }), Ct);
        var log = services.GetRequiredService<EventLog>();
        var handled = new[] { await log.Handled.Reader.ReadAsync(Ct), await log.Handled.Reader.ReadAsync(Ct) }.ToDictionary(static one => one.News.Text, StringComparer.Ordinal);

        var (news, headers, causation) = handled["tea für 2"];
        Assert.Equal((new EventNews("tea für 2", "Ada"), "e 1 ü"), (news, causation));
        Assert.Equal(("e 1 ü", "com.example.parcel.sent", "Ada ☃", "c-1", Trace), (headers[HeaderNames.MessageId], headers[HeaderNames.Type], headers[HeaderNames.Key], headers[HeaderNames.CorrelationId], headers[HeaderNames.TraceParent]));
        Assert.Equal(("application/json", written.Source.ToString(), "grün"), (headers[HeaderNames.ContentType], Uri.UnescapeDataString(headers["ce-source"]!), headers["ce-colour"]));
        Assert.Equal(written.Time, DateTimeOffset.Parse(headers["ce-time"]!, System.Globalization.CultureInfo.InvariantCulture));
        Assert.Equal("m-2", handled["plain"].CausationId);
    }

    private static async Task<CloudEvent> ReadBinaryAsync(Envelope arrived)
    {
        var http = new HttpResponseMessage { Content = new ReadOnlyMemoryContent(arrived.Body) };
        http.Content.Headers.TryAddWithoutValidation("Content-Type", arrived.Headers[HeaderNames.ContentType]);
        foreach (var (name, value) in arrived.Headers)
        {
            // Each transport's binding has a prefix of its own, and only those for HTTP and NATS encode values.
            if (name.StartsWith("ce-", StringComparison.Ordinal))
                http.Headers.TryAddWithoutValidation(name, value);
            else if (name.StartsWith("ce_", StringComparison.Ordinal) || name.StartsWith("cloudEvents_", StringComparison.Ordinal))
                http.Headers.TryAddWithoutValidation($"ce-{name[(name.IndexOf('_', StringComparison.Ordinal) + 1)..]}", Uri.EscapeDataString(value));
        }

        return await http.ToCloudEventAsync(s_formatter);
    }

    private static async Task<Envelope> WriteAsync(string destination, CloudEvent written, ContentMode mode)
    {
        using var content = written.ToHttpContent(mode, new JsonEventFormatter(new JsonSerializerOptions(JsonSerializerDefaults.Web), default));
        var headers = new Headers();
        foreach (var (name, values) in content.Headers)
        {
            if (!name.Equals("Content-Length", StringComparison.OrdinalIgnoreCase))
                headers.Add(name, string.Join(',', values));
        }

        return new Envelope { Destination = destination, Headers = headers, Body = await content.ReadAsByteArrayAsync() };
    }
}

internal sealed partial record EventNews(string Text, string? About = null) : INotification, IKeyed
{
    [JsonIgnore] public string Key => About ?? "";
}

internal sealed class EventLog
{
    public Channel<(EventNews News, Headers Headers, string? CausationId)> Handled { get; } = Channel.CreateUnbounded<(EventNews, Headers, string?)>();
}

internal static class EventHandlers
{
    [Handler]
    public static void Note(EventNews news, MessageContext context, EventLog log)
    {
        // The context is valid until the handler returns.
        var headers = new Headers();
        foreach (var (name, value) in context.Headers)
            headers.Add(name, value);
        log.Handled.Writer.TryWrite((news, headers, context.CausationId));
    }
}

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(EventNews))]
internal sealed partial class EventJson : JsonSerializerContext;
