using Postrider.Outbox;
using Postrider.OutboxTests.Harness;

namespace Postrider.OutboxTests.EntityFramework;

public sealed class SqliteEntityFrameworkTests(PostgresServer server) : EntityFrameworkCases(OutboxDatabase.Sqlite, server);
