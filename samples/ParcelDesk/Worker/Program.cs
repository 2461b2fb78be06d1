using ParcelDesk.Worker;

await WorkerApp.Build(args).RunAsync();
