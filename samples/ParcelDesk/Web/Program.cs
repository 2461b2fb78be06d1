using Postrider.Samples.ParcelDesk.Web;

await WebApp.Build(args).RunAsync();
