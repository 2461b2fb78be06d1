using System.Net.Http.Json;
using System.Text.Json.Nodes;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.AspNetCore;
using Postrider.Client;
using Postrider.Rpc;
using Postrider.Transports;

namespace Postrider.HostingTests.Dispatch;

/// <summary>The status over HTTP of failures that a handler got from others.</summary>
public sealed class FailureStatusTests
{
    private const string Secret = "db-7.internal";

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(RpcStatus.Unavailable, 503)]
    [InlineData(RpcStatus.Busy, 503)]
    [InlineData(RpcStatus.DeadlineExceeded, 504)]
    [InlineData(RpcStatus.NotFound, 500)]
    [InlineData(RpcStatus.Forbidden, 500)]
    [InlineData(RpcStatus.Unauthenticated, 500)]
    [InlineData(RpcStatus.AlreadyExists, 409)]
    [InlineData(RpcStatus.Aborted, 409)]
    [InlineData(RpcStatus.InvalidData, 500)]
    [InlineData(RpcStatus.Internal, 500)]
    public async Task Call_that_failed_has_its_status_and_not_its_text(RpcStatus status, int expected)
        => Assert.Equal(expected, (await AnswerAsync(new RpcException(status, $"{Secret} failed"))).Status);

    [Theory]
    [InlineData(NatsErrorCode.ConnectionLost, 503)]
    [InlineData(NatsErrorCode.NoResponders, 503)]
    [InlineData(NatsErrorCode.JetStreamUnavailable, 503)]
    [InlineData(NatsErrorCode.RequestTimeout, 504)]
    [InlineData(NatsErrorCode.NotFound, 500)]
    [InlineData(NatsErrorCode.WrongRevision, 409)]
    [InlineData(NatsErrorCode.PermissionDenied, 500)]
    public async Task Failure_of_the_client_has_its_status_and_not_its_text(NatsErrorCode code, int expected)
        => Assert.Equal(expected, (await AnswerAsync(new NatsClientException(code, $"{Secret} failed"))).Status);

    [Theory]
    [InlineData("Refused", 403, "No tea today.")]
    [InlineData("Invalid", 400, "No tea today.")]
    [InlineData("QueueFull", 503, "A service that the handler needs is not available.")]
    [InlineData("Unavailable", 503, "A service that the handler needs is not available.")]
    [InlineData("Timeout", 504, "The handler exceeded its time limit.")]
    [InlineData("Internal", 500, null)]
    public async Task Failure_of_a_remote_handler_has_the_status_of_a_local_one(string code, int expected, string? detail)
        => Assert.Equal((expected, detail), await AnswerAsync(new RemoteException(Secret, code, "No tea today.")));

    private static async Task<(int Status, string? Detail)> AnswerAsync(Exception failure)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseSetting("urls", "http://127.0.0.1:0");
        builder.Services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, OrdersJson.Default));
        builder.Services.AddPostriderExceptionHandler();
        builder.Services.AddSingleton<OrderNotes>().AddPostrider(options => options.Replace<PlaceOrder, Receipt>((_, _) => throw failure));
        await using var app = builder.Build();
        app.UseExceptionHandler();
        app.MapPost<PlaceOrder, Receipt>("/orders");
        await app.StartAsync(Ct);
        using var http = new HttpClient { BaseAddress = new Uri(app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.First()) };

        using var response = await http.PostAsJsonAsync("/orders", new PlaceOrder("tea", 1), OrdersJson.Default.PlaceOrder, Ct);

        var text = await response.Content.ReadAsStringAsync(Ct);
        Assert.DoesNotContain(Secret, text, StringComparison.Ordinal);
        return ((int)response.StatusCode, (string?)JsonNode.Parse(text)!["detail"]);
    }
}
