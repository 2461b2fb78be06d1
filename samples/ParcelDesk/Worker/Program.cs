using Postrider.Samples.ParcelDesk.Worker;

await WorkerApp.Build(args).RunAsync();
