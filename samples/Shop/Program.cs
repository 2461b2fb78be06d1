using Postrider.Samples.Shop;

// shop web|stock|payments [--Shop:Transport rabbitmq] [--Shop:Database "Host=localhost;Database=shop"] ...
switch (args.FirstOrDefault())
{
    case "web":
        await using (var web = ShopApp.BuildWeb(args[1..]))
        {
            await ShopApp.CreateTablesAsync(web.Services, default);
            await web.RunAsync();
        }

        return 0;
    case "stock":
        await ShopApp.BuildStock(args[1..]).RunAsync();
        return 0;
    case "payments":
        await ShopApp.BuildPayments(args[1..]).RunAsync();
        return 0;
    default:
        await Console.Error.WriteLineAsync("usage: shop web|stock|payments [--Shop:Transport nats|rabbitmq] [--Shop:Database CONNECTION] [--Postrider:Client:Servers nats://localhost:4222]");
        return 1;
}
