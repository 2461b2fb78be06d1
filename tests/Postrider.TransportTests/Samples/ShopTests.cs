using System.Net;
using System.Net.Http.Json;
using System.Text;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Broker;
using Postrider.Samples.Shop;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Samples;

/// <summary>The sample shop, over NATS and, by one setting, over RabbitMQ.</summary>
public sealed class ShopTests(RabbitMqServer rabbit)
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("nats")]
    [InlineData("rabbitmq")]
    public async Task Orders_are_paid_cancelled_or_redriven_over_either_transport(string transport)
    {
        var folder = Directory.CreateTempSubdirectory("postrider-shop-");
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort, JetStream = new() { StoreDirectory = Path.Join(folder.FullName, "js") } }, Ct);
        string[] settings =
        [
            $"--Shop:Transport={transport}", $"--Shop:Database=Data Source={Path.Join(folder.FullName, "shop.db")};Default Timeout=30;Pooling=false", "--Shop:Patience=00:00:02",
            $"--Postrider:Client:Servers={broker.Url}", $"--Postrider:RabbitMq:Server=amqp://guest:guest@127.0.0.1:{rabbit.Port}/", "--Urls=http://127.0.0.1:0", "--Logging:LogLevel:Default=Warning",
        ];
        await using var web = ShopApp.BuildWeb(settings);
        await ShopApp.CreateTablesAsync(web.Services, Ct);
        await web.StartAsync(Ct);
        using var stock = ShopApp.BuildStock(settings);
        await stock.StartAsync(Ct);
        using var payments = ShopApp.BuildPayments(settings);
        await payments.StartAsync(Ct);
        using var http = new HttpClient { BaseAddress = new Uri(web.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.First()) };

        await PlaceAsync(http, "paid", "tea", 2);
        await PlaceAsync(http, "paid", "tea", 2);
        await PlaceAsync(http, "never-paid", "glass", 101);
        await PlaceAsync(http, "not-there", "unicorn", 1);

        await Eventually.HoldsAsync(async () => await StepAsync(http, "paid") == "paid");
        await Eventually.HoldsAsync(async () => await StepAsync(http, "never-paid") == "cancelled");
        var dead = await Eventually.GivesAsync(async () => (await http.GetFromJsonAsync("/dead-letters", ShopJson.Default.ListDeadLetterView, Ct))!.SingleOrDefault());
        Assert.Equal(("shop.reserve", "There is no unicorn."), (dead.Origin, dead.Error));
        Assert.Contains("\"order\":\"not-there\"", dead.Body, StringComparison.Ordinal);
        Assert.Equal("reserving", await StepAsync(http, "not-there"));

        stock.Services.GetRequiredService<Shelf>().Add("unicorn");
        using var redrive = await http.PostAsync("/dead-letters/redrive", content: null, Ct);
        Assert.Equal(1, (await redrive.Content.ReadFromJsonAsync(ShopJson.Default.Redriven, Ct))!.Count);
        await Eventually.HoldsAsync(async () => await StepAsync(http, "not-there") == "paid");
        using var wrong = await http.PostAsync("/orders", new StringContent("""{"order":"x","quantity":0}""", Encoding.UTF8, "application/json"), Ct);
        var problem = await wrong.Content.ReadAsStringAsync(Ct);
        Assert.Equal(HttpStatusCode.BadRequest, wrong.StatusCode);
        Assert.Contains("\"Item\":[\"The Item field is required.\"]", problem, StringComparison.Ordinal);
        Assert.Contains("The field Quantity must be between 1 and 10000.", problem, StringComparison.Ordinal);
        Assert.Empty((await http.GetFromJsonAsync("/dead-letters", ShopJson.Default.ListDeadLetterView, Ct))!);

        await payments.StopAsync(Ct);
        await stock.StopAsync(Ct);
        await web.StopAsync(Ct);
        folder.Delete(recursive: true);
    }

    private static async Task PlaceAsync(HttpClient http, string order, string item, int quantity)
    {
        using var response = await http.PostAsJsonAsync("/orders", new PlaceOrder(order, item, quantity), ShopJson.Default.PlaceOrder, Ct);
        Assert.Equal(HttpStatusCode.Accepted, response.StatusCode);
    }

    private static async Task<string> StepAsync(HttpClient http, string order)
        => (await http.GetFromJsonAsync($"/orders/{order}", ShopJson.Default.OrderStatus, Ct))!.Step;
}
