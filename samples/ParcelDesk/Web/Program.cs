using ParcelDesk.Web;

await WebApp.Build(args).RunAsync();
