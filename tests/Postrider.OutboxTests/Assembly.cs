using Postrider.Middleware;
using Postrider.OutboxTests.Harness;

[assembly: AssemblyFixture(typeof(PostgresServer))]
[assembly: Postrider.UseMiddleware(typeof(TransactionMiddleware<,>))]
