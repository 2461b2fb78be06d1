return args is ["publish-nats", var url]
    ? await Postrider.Routing.NatsPublisher.RunAsync(url)
    : await Postrider.Routing.RoutingBench.RunAsync(args);
